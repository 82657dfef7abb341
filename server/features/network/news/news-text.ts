import { LANGUAGES_OF_PANEL, type NewsTexts, type PanelLanguage } from '#contract/network/news.ts'
import { cleanHtml, plainText } from '#server/platform/rich-text.ts'

type NewsText = NewsTexts[PanelLanguage]

const EXCERPT = 280

/** What is kept of what somebody wrote: HTML that shows the same everywhere and runs nowhere, and its beginning. */
export function keptTexts(written: Readonly<Record<PanelLanguage, { title: string; text: string }>>): NewsTexts {
  const kept = ({ title, text }: { title: string; text: string }): NewsText => {
    const html = cleanHtml(text, { pictures: true })
    const plain = plainText(html)
    // by whole signs: half of one is no text any more
    const signs = [...plain]
    return { title, text: html, excerpt: signs.length > EXCERPT ? `${signs.slice(0, EXCERPT).join('').trimEnd()}…` : plain }
  }
  return { en: kept(written.en), uk: kept(written.uk) }
}

/** The text somebody reads: in their own language, else in the first that has one. */
export function textIn(texts: Readonly<NewsTexts>, language: PanelLanguage): NewsText {
  return texts[language].title === '' ? texts[LANGUAGES_OF_PANEL.find((one) => texts[one].title !== '') ?? language] : texts[language]
}

/** The pictures of its texts, each once. */
export function picturesIn(texts: Readonly<NewsTexts>): string[] {
  const all = LANGUAGES_OF_PANEL.flatMap((language) => [...texts[language].text.matchAll(/<img [^>]*?data-file="([0-9a-f-]{36})"/g)])
  return [...new Set(all.flatMap(([, uuid]) => uuid ?? []))]
}

/** The same texts with other pictures in the places of these; a picture that has none goes. */
export function withPictures(texts: Readonly<NewsTexts>, others: ReadonlyMap<string, string>): NewsTexts {
  const changed = (html: string) =>
    html.replace(/<img [^>]*?data-file="([0-9a-f-]{36})"[^>]*>/g, (image, uuid: string) => {
      const other = others.get(uuid)
      return other === undefined ? '' : image.replace(uuid, other)
    })
  const of = (text: NewsText) => ({ ...text, text: changed(text.text) })
  return { en: of(texts.en), uk: of(texts.uk) }
}
