/** Runes everywhere; TypeScript in components is stripped by Svelte itself. */
export default {
  compilerOptions: { runes: true },
}
