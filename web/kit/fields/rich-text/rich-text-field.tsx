import { Input, Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { FileKind } from '#contract/network/file.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'

const Editor = lazy(async () => ({
  default: (await withinChunkTimeout(() => import('#web/kit/fields/rich-text/rich-text-editor.tsx'))).Editor,
}))

/** Text with headings, lists and links; the value is HTML, '' when nothing is written. The server sanitises it. */
export const RichTextField = drawnAlone(function RichTextField<Values>({
  pictures,
  ...field
}: FieldProps<Values> & {
  /** What its pictures are for; none can be put in without. */
  pictures?: FileKind
}) {
  const { id, label, description, error, withAsterisk, wrapperProps } = fieldProps(field)
  return (
    <Input.Wrapper
      {...wrapperProps}
      // the editor is no form element a label could point at: it carries the text itself
      labelElement="div"
      label={label}
      description={description}
      error={error}
      withAsterisk={withAsterisk}
    >
      <Suspense fallback={<Skeleton height={150} radius="sm" />}>
        <Editor
          id={id}
          label={label}
          invalid={error !== undefined}
          disabled={field.disabled}
          pictures={pictures}
          value={valueAt<Values, string>(field.of, field.name)}
          onChange={(html) => changeAt(field.of, field.name, html)}
        />
      </Suspense>
    </Input.Wrapper>
  )
})
