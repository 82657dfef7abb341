import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { blankNews, newsApi, type newsDetail, type NewsInput } from '#contract/network/news.ts'
import { AudienceReach } from '#web/features/network/news/audience-reach.tsx'
import { useRoleOptions } from '#web/features/network/news/news-list.tsx'
import { NewsPreview } from '#web/features/network/news/news-preview.tsx'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { MomentField } from '#web/kit/fields/day/moment-field.tsx'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { PictureField } from '#web/kit/fields/picture/picture-field.tsx'
import { RichTextField } from '#web/kit/fields/rich-text/rich-text-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TagsField } from '#web/kit/fields/tags-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { CreatePage } from '#web/kit/form/create-page.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm, type SaveForm } from '#web/kit/form/use-save-form.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { useGo } from '#web/shell/access.ts'
import { clockAt, momentAt } from '#web/zone-time.ts'

/** What the form holds: the moment as a clock in the zone of who writes. Whether they are published at once is asked of new ones only. */
export type NewsValues = NewsInput

/** Writes news. */
export function NewsCreate() {
  const { t } = useTranslation('news')
  const go = useGo()
  const zone = useZone()
  const form = useSaveForm({
    endpoint: newsApi.create,
    initial: blankNews,
    toInput: (values: NewsValues) => ({ body: newsBody(values, zone) }),
    invalidate: [newsApi.written, newsApi.list, newsApi.unread],
    savedText: t('created'),
    onSaved: ({ uuid }) => go('newsEdit', { uuid }, { replace: true }),
  })
  return (
    <CreatePage of={form} title={t('create.title')} action={t(actionOf(form.values, zone))} onCancel={() => go('settingsNews')}>
      <NewsFields of={form} isNew />
    </CreatePage>
  )
}

/** What pressing the button will do. */
function actionOf({ publish, publish_at }: NewsValues, zone: string) {
  if (!publish) return 'create.draft'
  return publish_at !== null && Date.parse(momentAt(publish_at, zone)) > Date.now() ? 'create.schedule' : 'create.publish'
}

/** Stored news as the form holds them. */
export function newsValues({ texts, cover, roles, geos, tags, pinned, publish_at }: z.output<typeof newsDetail>, zone: string): NewsValues {
  return { texts, cover, roles, geos, tags, pinned, publish_at: publish_at && clockAt(publish_at, zone), publish: true }
}

/** What the server takes of the form. */
export function newsBody<Values extends { publish_at: string | null }>(values: Values, zone: string): Values {
  return { ...values, publish_at: values.publish_at && momentAt(values.publish_at, zone) }
}

/** The fields of news, for creating and editing alike. */
export function NewsFields({ of, isNew = false }: { of: SaveForm<NewsValues>; isNew?: boolean }) {
  const { t } = useTranslation('news')
  const zone = useZone()
  const countries = useCountryOptions()
  return (
    <>
      <FormSection title={t('section.text')} text={t('section.textHelp')}>
        <TextField of={of} name="texts.en.title" label={t('titleIn.en')} wide />
        <RichTextField of={of} name="texts.en.text" label={t('textIn.en')} pictures="news" wide />
        <TextField of={of} name="texts.uk.title" label={t('titleIn.uk')} wide />
        <RichTextField of={of} name="texts.uk.text" label={t('textIn.uk')} pictures="news" wide />
        <PictureField of={of} name="cover" kind="news" label={t('cover')} help={t('coverHelp')} wide />
      </FormSection>
      <FormSection title={t('section.audience')} text={t('section.audienceHelp')}>
        <MultiSelectField of={of} name="roles" label={t('roles')} options={useRoleOptions()} placeholder={t('everybody')} wide />
        <MultiSelectField of={of} name="geos" label={t('geos')} options={countries} help={t('geosHelp')} />
        <TagsField of={of} name="tags" label={t('tags')} help={t('tagsHelp')} />
        <AudienceReach of={of.values}>
          <NewsPreview of={of.values} zone={zone} />
        </AudienceReach>
      </FormSection>
      <FormSection title={t('section.when')}>
        <MomentField of={of} name="publish_at" label={t('publish_at')} placeholder={t('atOnce')} help={t('publish_atHelp', { zone })} />
        <SwitchField of={of} name="pinned" label={t('pin')} help={t('pinHelp')} />
        {isNew && <SwitchField of={of} name="publish" label={t('publishSwitch')} help={t('publishSwitchHelp')} />}
      </FormSection>
    </>
  )
}
