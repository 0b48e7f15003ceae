import '@look/tokens.css'
import '@look/conversation.css'
import './styles/base.css'
import './styles/ui.css'
import './styles/messages.css'
import './styles/frame.css'
import './styles/tables.css'
import './styles/home.css'
import './styles/sessions.css'
import './styles/search.css'
import './styles/hits.css'
import './styles/live.css'
import './styles/small.css'

import { mount } from 'svelte'

import * as about from './about'
import App from './app.svelte'
import * as events from './events'
import * as keys from './keys'
import * as bell from './live/bell'
import * as board from './live/live-sessions'
import * as routes from './routes'
import * as settings from './settings'
import * as title from './page-title'
import { setLanguage } from './formats'

setLanguage(navigator.language)
settings.dress(document.documentElement)
routes.start()
keys.start()
title.start()
about.start()
board.start()
bell.start()
events.start()

const place = document.getElementById('app')
if (place) {
  mount(App, { target: place })
}
