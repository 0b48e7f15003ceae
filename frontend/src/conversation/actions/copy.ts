/** What of a conversation can be copied: links, facts, Markdown, a block of code or of output. */
import { describeError } from '../../api'
import { conversationAddress } from '../../routes.svelte'
import { copyKnownResume } from '../../sessions/resume-command'
import { copyText, showToast } from '../../ui/toast.svelte'
import type { SessionDetails } from '../../wire'
import { fetchMarkdown } from '../data/requests'
import type { OpenConversation } from '../open-conversation.svelte'
import { messageHere } from './focused-message'

export async function copyLink(page: OpenConversation): Promise<void> {
  const { session, tip, agent } = page.ref
  const at = messageHere(page)
  await copyText(location.origin + conversationAddress(session, { tip, agent, at }), 'Link to this message')
}

export async function copyPath(page: OpenConversation): Promise<void> {
  await withFacts(page, (facts) => copyText(facts.path, 'Path'))
}

export async function copyResume(page: OpenConversation): Promise<void> {
  await withFacts(page, copyKnownResume)
}

/** Copy one of the facts; a key pressed before they are here waits for them. */
async function withFacts(
  page: OpenConversation,
  copy: (facts: SessionDetails) => Promise<void>,
): Promise<void> {
  if (!page.facts) {
    await page.loadFacts()
  }
  if (page.facts) {
    await copy(page.facts)
  } else {
    showToast(describeError(page.info.failure), { failed: true })
  }
}

/** Copy what a button stands for: what it names, else the block it stands on. */
export async function copyBlock(button: HTMLElement): Promise<void> {
  const { text } = button.dataset
  await copyText(
    text ?? button.closest('.code, .shell, .step')?.querySelector('pre')?.textContent ?? '',
    'Text',
  )
}

export async function copyMarkdown(page: OpenConversation): Promise<void> {
  const focused = document.activeElement?.closest('.slot')
  try {
    const text = await fetchMarkdown(page.ref, focused ? messageHere(page) : null)
    await copyText(text, focused ? 'This message as Markdown' : 'The conversation as Markdown')
  } catch (error) {
    showToast(describeError(error), { failed: true })
  }
}
