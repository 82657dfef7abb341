import { Button, Select, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from '#web/import/import.module.css'

type WordTableProps<Meaning extends string> = {
  legend: string
  /** `found`: what the word means by itself; null = nobody knows. `note`: why it means that; `may`: all that may be said of it, null = anything. */
  words: readonly {
    word: string
    lines: string
    found: Meaning | null
    guess?: Meaning | null
    note?: ReactNode
    may?: readonly Meaning[] | null
  }[]
  /** What somebody has said instead, by the word in lower case. */
  said: ReadonlyMap<string, Meaning>
  options: readonly { value: Meaning; label: string }[]
  ask: string
  nameOf: (word: string) => string
  onMean: (word: string, means: Meaning) => void
  /** Takes back what was said of a word, where nothing has to be said. */
  onForget?: ((word: string) => void) | undefined
  /** Fills in what words nobody knows probably mean. */
  onTake?: (words: readonly { word: string; means: Meaning }[]) => void
  take?: (count: number) => string
}

/** The words of a file, each with what it means; those nobody knows are marked. */
export function WordTable<Meaning extends string>({
  legend,
  words,
  said,
  options,
  ask,
  nameOf,
  onMean,
  onForget,
  onTake,
  take,
}: WordTableProps<Meaning>) {
  const guesses = words.flatMap(({ word, guess }) => (guess && !said.has(word.toLowerCase()) ? [{ word, means: guess }] : []))
  return (
    <fieldset className={classes.words}>
      <legend>{legend}</legend>
      <Table verticalSpacing={4} withRowBorders={false} w="auto">
        <Table.Tbody>
          {words.map(({ word, lines, found, guess, note, may = null }) => {
            const own = said.get(word.toLowerCase())
            return (
              <Table.Tr key={word}>
                <Table.Th scope="row">{word}</Table.Th>
                <Table.Td className="ohma-soft">{lines}</Table.Td>
                <Table.Td>
                  <Select
                    aria-label={nameOf(word)}
                    placeholder={options.find(({ value }) => value === guess)?.label.concat('?') ?? ask}
                    // what is to be said yet is marked, and no mistake
                    data-open={(found === null && own === undefined) || undefined}
                    classNames={{ input: classes.word }}
                    clearable={onForget !== undefined && own !== undefined}
                    data={options.filter(({ value }) => may === null || may.includes(value))}
                    allowDeselect={false}
                    value={own ?? found}
                    onChange={(value) => {
                      const meant = options.find((one) => one.value === value)
                      if (meant !== undefined) onMean(word, meant.value)
                      else onForget?.(word)
                    }}
                    w="min(220px, 44vw)"
                  />
                  {note !== undefined && own === undefined && (
                    <Text fz={13} c="dimmed" mt={2}>
                      {note}
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
      {guesses.length > 0 && onTake && (
        <Button variant="default" size="compact-md" mt={6} onClick={() => onTake(guesses)}>
          {take?.(guesses.length)}
        </Button>
      )}
    </fieldset>
  )
}
