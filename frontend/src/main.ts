import '@look/tokens.css'
import '@look/conversation.css'
import './styles/base.css'
import './styles/ui.css'
import './styles/shared.css'
import './styles/small.css'

import { mount } from 'svelte'

import * as about from './about.svelte'
import App from './app.svelte'
import * as events from './events.svelte'
import * as keys from './keys.svelte'
import * as bell from './live/bell.svelte'
import * as liveSessions from './live/live-sessions.svelte'
import * as routes from './routes.svelte'
import * as settings from './settings.svelte'
import * as title from './page-title.svelte'
import { setLanguage } from './formats'

setLanguage(navigator.language)
settings.applySettings(document.documentElement)
routes.start()
keys.start()
title.start()
about.start()
liveSessions.start()
bell.start()
events.start()

const place = document.getElementById('app')
if (place) {
  mount(App, { target: place })
}
