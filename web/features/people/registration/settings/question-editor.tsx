import { ActionIcon, Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MOST_OPTIONS, MOST_QUESTIONS, QUESTION_KINDS, type Question, type RegistrationSettings } from '#contract/people/registration.ts'
import { fieldText } from '#web/i18n/language.ts'
import { changeAt } from '#web/kit/fields/field.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { fieldId } from '#web/kit/form/use-save-form.ts'
import style from './settings.module.css'

type Of = { of: SaveForm<RegistrationSettings> }

/** The network's own questions, in both languages, in the order they are asked. */
export function QuestionEditor({ of }: Of) {
  const { t } = useTranslation('registration')
  const { questions } = of.values
  const put = (next: readonly Question[]) => changeAt(of, 'questions', next)
  const move = (place: number, by: number) => {
    const next = [...questions]
    const [moved] = next.splice(place, 1)
    if (moved !== undefined) next.splice(place + by, 0, moved)
    put(next)
  }
  return (
    <div className={style.questions} data-wide>
      {questions.map((question, place) => (
        <section key={question.id} className={style.question} aria-label={t('question.title', { number: place + 1 })}>
          <div className={style.head}>
            <p>{t('question.title', { number: place + 1 })}</p>
            <ActionIcon variant="subtle" color="gray" aria-label={t('question.up')} disabled={place === 0} onClick={() => move(place, -1)}>
              <IconArrowUp size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('question.down')}
              disabled={place === questions.length - 1}
              onClick={() => move(place, 1)}
            >
              <IconArrowDown size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('question.remove')}
              onClick={() => put(questions.filter((other) => other !== question))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </div>
          <QuestionFields of={of} place={place} question={question} />
        </section>
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={questions.length >= MOST_QUESTIONS}
          onClick={() => put([...questions, { id: newId(), kind: 'line', required: false, text: { en: '', uk: '' }, options: [] }])}
        >
          {t('question.add')}
        </Button>
      </div>
    </div>
  )
}

function QuestionFields({ of, place, question: { kind, options } }: Of & { place: number; question: Question }) {
  const { t } = useTranslation('registration')
  const at = `questions.${place}` as const
  const chosen = kind === 'choice' || kind === 'several'
  const error = of.form.errors[`${at}.options`]
  const putOptions = (next: Question['options']) => changeAt(of, `${at}.options`, next)
  return (
    <>
      <div className={style.pair}>
        <TextField of={of} name={`${at}.text.en`} label={t('question.text.en')} required />
        <TextField of={of} name={`${at}.text.uk`} label={t('question.text.uk')} />
        <SelectField
          of={of}
          name={`${at}.kind`}
          label={t('question.kind')}
          options={QUESTION_KINDS.map((value) => ({ value, label: t(`question.kind.${value}`) }))}
          required
        />
        <SwitchField of={of} name={`${at}.required`} label={t('question.required')} />
      </div>
      {chosen && (
        <div className={style.questions} id={fieldId(of.id, `${at}.options`)} tabIndex={-1}>
          {options.map((_option, option) => (
            // choices have no name of their own, only a place
            // oxlint-disable-next-line react/no-array-index-key
            <div key={option} className={style.option}>
              <TextField of={of} name={`${at}.options.${option}.en`} label={t('question.option.en', { number: option + 1 })} />
              <TextField of={of} name={`${at}.options.${option}.uk`} label={t('question.option.uk', { number: option + 1 })} />
              <ActionIcon
                variant="subtle"
                color="gray"
                mt={28}
                aria-label={t('question.option.remove', { number: option + 1 })}
                onClick={() => putOptions(options.filter((_other, other) => other !== option))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </div>
          ))}
          {typeof error === 'string' && <div className={style.error}>{fieldText(error)}</div>}
          <div>
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={options.length >= MOST_OPTIONS}
              onClick={() => putOptions([...options, { en: '', uk: '' }])}
            >
              {t('question.option.add')}
            </Button>
          </div>
        </div>
      )}
    </>
  )
}

/** A name nobody sees, which answers are sent under. */
function newId(): string {
  return Math.random().toString(36).slice(2, 12) || 'q'
}
