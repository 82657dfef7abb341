import type { Pages } from '#web/shell/page.ts'

export const pages: Pages<'ohmaGallery'> = {
  ohmaGallery: { page: async () => (await import('#web/features/network/ohma/ohma-gallery.tsx')).OhmaGallery },
}
