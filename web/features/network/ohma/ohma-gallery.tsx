import { MantineProvider, SimpleGrid, Stack, useMantineColorScheme, useMantineTheme } from '@mantine/core'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { ChartSamples } from '#web/features/network/ohma/chart-samples.tsx'
import { FeedbackSamples } from '#web/features/network/ohma/feedback-samples.tsx'
import { FieldSamples } from '#web/features/network/ohma/field-samples.tsx'
import { FormSamples } from '#web/features/network/ohma/form-samples.tsx'
import { ShowSamples } from '#web/features/network/ohma/show-samples.tsx'
import { TableSamples } from '#web/features/network/ohma/table-samples.tsx'
import { useRuntime } from '#web/shell/runtime.ts'
import { cssVariables } from '#web/theme/theme.ts'

const SIDE = { minWidth: 0, padding: 20, color: 'var(--ohma-text)', background: 'var(--ohma-page)', border: '1px solid var(--ohma-line)' }

/** Every part of the kit in light and dark beside each other, for looking at. Its words are samples and stay English. */
export function OhmaGallery() {
  const { colorScheme } = useMantineColorScheme()
  // Mantine's rules for the dark follow those for the light, so a dark side inside a light page is true, but not the other way round.
  useEffect(() => {
    const { documentElement } = document
    const before = documentElement.getAttribute('data-mantine-color-scheme') ?? 'light'
    documentElement.setAttribute('data-mantine-color-scheme', 'light')
    return () => documentElement.setAttribute('data-mantine-color-scheme', before)
  }, [colorScheme])

  return (
    <>
      <PageHeader title="Ohma kit" facts={['Every part in both schemes', 'Long words and large numbers on purpose']} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Side scheme="light" />
        <Side scheme="dark" />
      </SimpleGrid>
    </>
  )
}

function Side({ scheme }: { scheme: 'light' | 'dark' }) {
  const theme = useMantineTheme()
  const { colour } = useRuntime()
  const variables = useMemo(() => cssVariables(colour), [colour])
  const [root, setRoot] = useState<HTMLElement | null>(null)
  return (
    <div ref={setRoot} id={`gallery-${scheme}`} data-mantine-color-scheme={scheme} style={SIDE}>
      {root && (
        <MantineProvider
          theme={theme}
          cssVariablesResolver={variables}
          forceColorScheme={scheme}
          cssVariablesSelector={`#gallery-${scheme}`}
          getRootElement={() => root}
        >
          <Samples title="Values" of={<ShowSamples />} />
          <Samples title="Table" of={<TableSamples />} />
          <Samples title="Fields" of={<FieldSamples />} />
          <Samples title="Forms over a page" of={<FormSamples />} />
          <Samples title="Charts" of={<ChartSamples />} />
          <Samples title="Feedback" of={<FeedbackSamples />} />
        </MantineProvider>
      )}
    </div>
  )
}

function Samples({ title, of }: { title: string; of: ReactNode }) {
  return (
    <Stack gap={14} pb="lg">
      <h2>{title}</h2>
      {of}
    </Stack>
  )
}
