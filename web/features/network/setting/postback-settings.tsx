import { ActionIcon, Alert, Button, Group } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { conversionStatus, type ConversionStatus } from '#contract/traffic/conversion.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { postbackApi } from '#contract/traffic/postback.ts'
import { query } from '#web/api/query.ts'
import { changeAt } from '#web/kit/fields/field.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TagsField } from '#web/kit/fields/tags-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm, type SaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'
import { SettingForm } from '#web/setting-form.tsx'
import classes from './setting.module.css'

type Incoming = CallOutput<typeof postbackApi.incoming>
type Values = { token: 'keep' | 'new' | 'none'; allowed_ips: string[]; words: { word: string; status: ConversionStatus }[] }

/** /settings/postback of the network: how advertisers may report results. */
export function PostbackSettings() {
  const { t } = useTranslation('setting')
  const found = useQuery(query(postbackApi.incoming, {}))
  return (
    <SettingsPage>
      <QueryPage query={found} failed={t('failed')}>
        {(incoming) => <IncomingForm incoming={incoming} />}
      </QueryPage>
    </SettingsPage>
  )
}

function IncomingForm({ incoming }: { incoming: Incoming }) {
  const { t } = useTranslation('setting')
  const form = useSaveForm({
    endpoint: postbackApi.updateIncoming,
    record: incoming,
    valuesOf: (stored): Values => ({
      token: 'keep',
      allowed_ips: stored.allowed_ips,
      words: Object.entries(stored.statuses).map(([word, status]) => ({ word, status })),
    }),
    toInput: ({ token, allowed_ips, words }, { version }) => ({
      body: { token, allowed_ips, version, statuses: Object.fromEntries(words.map(({ word, status }) => [word.trim(), status])) },
    }),
    invalidate: [postbackApi.incoming],
  })
  return (
    <SettingForm of={form} section="postback" label={t('postback.title')} changed={incoming.changed}>
      <FormSection title={t('postback.who')} text={t('postback.whoText')}>
        <div data-wide style={{ display: 'grid', gap: 10 }}>
          <Token of={form} stored={incoming.token} />
        </div>
        <TagsField of={form} name="allowed_ips" label={t('postback.ips')} help={t('postback.ipsHelp')} placeholder="203.0.113.0/24" wide />
      </FormSection>
      <FormSection title={t('postback.words')} text={t('postback.wordsText')}>
        <Words of={form} />
      </FormSection>
    </SettingForm>
  )
}

/** The token of the whole network: what becomes of it happens when the form is saved. */
function Token({ of, stored }: { of: SaveForm<Values>; stored: string | null }) {
  const { t } = useTranslation('setting')
  const put = (token: Values['token']) => changeAt(of, 'token', token)
  const { token } = of.values
  return (
    <>
      {stored === null ? <p className="ohma-soft">{t('postback.none')}</p> : <CopyField label={t('postback.token')} text={stored} />}
      {token !== 'keep' && stored !== null && (
        <Alert color="var(--ohma-waiting)" role="status">
          {t(token === 'new' ? 'postback.willNew' : 'postback.willNone')}
        </Alert>
      )}
      <Group gap="xs">
        {token === 'keep' ? (
          <>
            <Button variant="default" onClick={() => put('new')}>
              {t(stored === null ? 'postback.make' : 'postback.renew')}
            </Button>
            {stored !== null && (
              <Button variant="subtle" c="var(--ohma-bad)" onClick={() => put('none')}>
                {t('postback.take')}
              </Button>
            )}
          </>
        ) : (
          <Button variant="default" onClick={() => put('keep')}>
            {t('postback.keep')}
          </Button>
        )}
      </Group>
    </>
  )
}

function Words({ of }: { of: SaveForm<Values> }) {
  const { t } = useTranslation('setting')
  const { t: named } = useTranslation('conversion')
  const { words } = of.values
  const put = (next: Values['words']) => changeAt(of, 'words', next)
  return (
    <div data-wide style={{ display: 'grid', gap: 10 }}>
      {words.length === 0 && <p className="ohma-soft">{t('postback.noWords')}</p>}
      {words.map((_word, place) => (
        // a word has no name but itself, which is being typed
        // oxlint-disable-next-line react/no-array-index-key
        <div key={place} className={classes.word}>
          <TextField of={of} name={`words.${place}.word`} label={t('postback.word')} />
          <SelectField
            of={of}
            name={`words.${place}.status`}
            label={t('postback.means')}
            options={conversionStatus.options.map((value) => ({ value, label: named(`status.${value}`) }))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            mt={28}
            aria-label={t('postback.removeWord')}
            onClick={() => put(words.filter((_other, other) => other !== place))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => put([...words, { word: '', status: 'approved' }])}
        >
          {t('postback.addWord')}
        </Button>
      </div>
      <p className="ohma-soft">{t('postback.log')}</p>
    </div>
  )
}
