import { ResizeFit, Transformer } from '@napi-rs/image'

/** The network's logo as a PNG of a size for paper, which is what documents can hold; null where there is none or it cannot be read. */
export async function drawableLogo(address: string | null): Promise<string | null> {
  const data = address?.split(',', 2)[1]
  if (data === undefined) return null
  try {
    const png = await new Transformer(Buffer.from(data, 'base64')).resize({ width: 600, height: 176, fit: ResizeFit.Inside }).png()
    return `data:image/png;base64,${png.toString('base64')}`
  } catch {
    // a document without its picture is worth more than none
    return null
  }
}
