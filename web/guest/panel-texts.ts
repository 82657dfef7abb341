import { loadPanelTexts } from '#web/i18n/language.ts'

// guest pages beyond sign-in speak with the panel's words: who imports this is drawn once they are there
await loadPanelTexts()
