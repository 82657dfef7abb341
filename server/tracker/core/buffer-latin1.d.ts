/** Two methods of Node's Buffer that @types/node leaves out: the engine's own copies, without the checks of `write` and `toString`. */
interface Buffer {
  latin1Slice(from: number, to: number): string
  latin1Write(text: string, offset: number): number
}
