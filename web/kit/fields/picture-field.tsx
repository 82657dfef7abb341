import { Button, FileButton, Group, Input } from '@mantine/core'
import { IconPhoto, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { fileApi, LARGEST_FILE, type FileKind } from '#contract/network/file.ts'
import { useSave } from '#web/api/query.ts'
import { changeAt, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'
import { Picture } from '#web/kit/show/picture.tsx'
import { notify } from '#web/notify.ts'

/** A picture of at most 5 MB, uploaded as soon as it is chosen; the value is its uuid or null. */
export function PictureField<Values>({ kind, ...field }: FieldProps<Values> & { kind: FileKind }) {
  const { t } = useTranslation('kit')
  const value = valueAt<Values, string | null>(field.of, field.name)
  const { id, label, description, error } = fieldProps(field)
  const upload = useSave(fileApi.upload, { onSuccess: ({ uuid }) => changeAt(field.of, field.name, uuid) })

  const choose = async (file: File | null) => {
    if (file === null) return
    if (file.size > LARGEST_FILE) return notify.error(t('picture.tooLarge'))
    upload.mutate({ query: { kind }, body: new Uint8Array(await file.arrayBuffer()) })
  }
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={error}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      data-wide={field.wide || undefined}
    >
      <Group gap="sm" my={4}>
        {value !== null && <Picture uuid={value} alt={label} />}
        <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button {...props} id={id} variant="default" loading={upload.isPending} leftSection={<IconPhoto size={16} aria-hidden />}>
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
