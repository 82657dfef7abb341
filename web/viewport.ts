import { useSyncExternalStore } from 'react'

export type Viewport = 'mobile' | 'tablet' | 'laptop' | 'laptopL' | 'desktop'

/** The class of a viewport by its width in CSS pixels. */
export function viewportOf(width: number): Viewport {
  if (width < 768) return 'mobile'
  if (width < 1024) return 'tablet'
  if (width < 1440) return 'laptop'
  return width < 1920 ? 'laptopL' : 'desktop'
}

/** The class of the window's width, followed while it is resized. */
export function useViewport(): Viewport {
  return useSyncExternalStore(onResize, () => viewportOf(window.innerWidth))
}

function onResize(changed: () => void): () => void {
  window.addEventListener('resize', changed)
  return () => window.removeEventListener('resize', changed)
}
