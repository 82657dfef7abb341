import { Button, FileButton, Group, Input } from '@mantine/core'
import { IconPhoto, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { changeAt, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'

/** The kinds of pictures the server takes. */
export const PICTURE_KINDS = ['image/png', 'image/jpeg', 'image/webp']

type PictureInputProps<Values> = {
  field: FieldProps<Values>
  shown: (value: string) => ReactNode
  choosing?: boolean
  onChoose: (file: File) => Promise<void>
}

/** The picture a field holds, null = none, with what chooses another one and removes it. */
export function PictureInput<Values>({ field, shown, choosing, onChoose }: PictureInputProps<Values>) {
  const { t } = useTranslation('kit')
  const value = valueAt<Values, string | null>(field.of, field.name)
  const { id, label, description, error } = fieldProps(field)
  return (
    <Input.Wrapper label={label} description={description} error={error} data-wide={field.wide || undefined}>
      <Group gap="sm" my={4}>
        {value !== null && shown(value)}
        <FileButton accept={PICTURE_KINDS.join(',')} onChange={(file) => file !== null && void onChoose(file)}>
          {(props) => (
            <Button {...props} id={id} variant="default" loading={choosing} leftSection={<IconPhoto size={16} aria-hidden />}>
              {t(value === null ? 'picture.choose' : 'picture.replace')}
            </Button>
          )}
        </FileButton>
        {value !== null && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconX size={16} aria-hidden />}
            onClick={() => changeAt(field.of, field.name, null)}
          >
            {t('picture.remove')}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  )
}
