/// <reference types="vitest/config" />
// The page is served under a policy that allows no inline script and no inline style, and is
// kept inside the wheel, so everything becomes hashed files in the server's own folder.
import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  base: '/',
  plugins: [svelte()],
  resolve: {
    alias: {
      '@look': here('../src/bough/export/look'),
      '@': here('./src'),
    },
  },
  build: {
    outDir: here('../src/bough/web/static'),
    emptyOutDir: true,
    // The first browsers that know light-dark(): older targets would rewrite our colours.
    target: ['chrome125', 'firefox126', 'safari18'],
    // A data: URL would need a wider policy; a file does not.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    sourcemap: false,
  },
  server: {
    host: '127.0.0.1',
    // `bough web --port 8420 --no-browser` answers for the data while Vite serves the page.
    proxy: {
      '/api': {
        target: process.env['BOUGH_WEB'] ?? 'http://127.0.0.1:8420',
        changeOrigin: true,
        // To the server these are requests of its own page.
        configure: (proxy) => {
          proxy.on('proxyReq', (request) => {
            request.removeHeader('origin')
            request.setHeader('sec-fetch-site', 'same-origin')
          })
        },
      },
    },
    fs: { allow: [here('.'), here('../src/bough/export/look')] },
  },
  test: {
    environment: 'node',
    // A worker for each file costs more than all tests together.
    isolate: false,
    include: ['src/**/*.test.ts'],
    // Words about times are tested in one zone, whatever the machine's.
    env: { TZ: 'UTC' },
  },
})
