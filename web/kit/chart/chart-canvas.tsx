import { useMantineColorScheme } from '@mantine/core'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { UNKNOWN } from '#web/format.ts'
import { colourOf, plotOf, type PlotLook } from '#web/kit/chart/chart-plot.ts'
import classes from '#web/kit/chart/chart.module.css'
import type { ChartData } from '#web/kit/chart/series.ts'

type ChartCanvasProps = ChartData & {
  kind: 'line' | 'bars'
  /** What the picture shows, in words. */
  description: string
}

/** The step whose figures are shown, and where it stands in the picture, in CSS pixels. */
type Shown = { step: number; left: number; top: number; toLeft: boolean }

/** The drawing of a chart with its legend and figures; use `<Chart>`, which loads this when it is needed. */
export function ChartCanvas({ kind, labels, ticks, series, format, axis, soFar, description }: ChartCanvasProps) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [shown, setShown] = useState<Shown>()
  const { colorScheme } = useMantineColorScheme()

  useEffect(() => {
    const element = place.current
    if (element === null) return
    const size = () => ({ width: element.clientWidth, height: element.clientHeight })
    const draw = () => {
      chart.current?.destroy()
      const { options, data } = plotOf({ kind, labels, ticks, series, format, ...(axis && { axis }), soFar, hidden }, lookOf(element))
      const hooks = { setCursor: [(plot: uPlot) => setShown(shownBy(plot))] }
      chart.current = new uPlot({ ...options, ...size(), hooks }, data, element)
      setShown(undefined)
    }
    draw()
    const observer = new ResizeObserver(() => chart.current?.setSize(size()))
    observer.observe(element)
    // "as the system" may change its mind while the page is open, and letters may come later than the picture
    const system = matchMedia('(prefers-color-scheme: dark)')
    const redraw = () => requestAnimationFrame(draw)
    system.addEventListener('change', redraw)
    document.fonts.addEventListener('loadingdone', redraw)
    return () => {
      observer.disconnect()
      system.removeEventListener('change', redraw)
      document.fonts.removeEventListener('loadingdone', redraw)
      chart.current?.destroy()
      chart.current = undefined
    }
  }, [kind, labels, ticks, series, format, axis, soFar, hidden, colorScheme])

  const toggle = (id: string) =>
    setHidden((before) => (before.has(id) ? new Set([...before].filter((one) => one !== id)) : before.union(new Set([id]))))
  const visible = series.flatMap((one, index) => (hidden.has(one.id) ? [] : [{ ...one, colour: colourOf(one, index) }]))

  return (
    <div className={classes.chart}>
      {series.length > 1 && (
        <div className={classes.legend}>
          {series.map((one, index) => (
            <button key={one.id} type="button" aria-pressed={!hidden.has(one.id)} onClick={() => toggle(one.id)}>
              <i style={{ background: colourOf(one, index) }} />
              {one.name}
            </button>
          ))}
        </div>
      )}
      <div className={classes.picture}>
        {/* the arrow keys go from step to step of the picture */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <div
          ref={place}
          className={classes.place}
          role="img"
          aria-label={description}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          onKeyDown={(event) => moveBy(event, chart.current)}
          onBlur={() => chart.current && leave(chart.current)}
        />
        {shown !== undefined && (
          <div
            className={classes.figures}
            data-to-left={shown.toLeft || undefined}
            role="status"
            style={{ left: shown.left, top: shown.top }}
          >
            <div>{shown.step === labels.length - 1 ? (soFar ?? labels[shown.step]) : labels[shown.step]}</div>
            {visible.map(({ id, name, colour, values, labels: own }) => (
              <div key={id} className={classes.figure}>
                <i style={{ background: colour }} />
                <span>
                  {name}
                  {own?.[shown.step] !== undefined && `, ${own[shown.step]}`}
                </span>
                <b>{figureOf(values[shown.step], format)}</b>
              </div>
            ))}
          </div>
        )}
      </div>
    </div>
  )
}

function figureOf(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? UNKNOWN : format(value)
}

function shownBy(plot: uPlot): Shown | undefined {
  const { idx } = plot.cursor
  if (typeof idx !== 'number' || (plot.cursor.left ?? -1) < 0) return undefined
  const left = plot.valToPos(idx, 'x')
  return { step: idx, left: left + plot.over.offsetLeft, top: plot.over.offsetTop, toLeft: left > plot.over.clientWidth / 2 }
}

/** Shows the figures of the next step, the one before, the first or the last. */
function moveBy(event: KeyboardEvent, plot: uPlot | undefined): void {
  if (plot === undefined) return
  if (event.key === 'Escape') return leave(plot)
  const last = plot.data[0].length - 1
  const at = plot.cursor.idx ?? null
  const next = {
    ArrowRight: at === null ? 0 : Math.min(last, at + 1),
    ArrowLeft: at === null ? last : Math.max(0, at - 1),
    Home: 0,
    End: last,
  }[event.key]
  if (next === undefined) return
  event.preventDefault()
  // the page may have keys of its own
  event.stopPropagation()
  plot.setCursor({ left: plot.valToPos(next, 'x'), top: 0 })
}

function leave(plot: uPlot): void {
  plot.setCursor({ left: -10, top: -10 })
}

/** The colours and the font in force where the chart stands. */
function lookOf(element: HTMLElement): PlotLook {
  const font = `12px ${getComputedStyle(element).fontFamily}`
  const context = document.createElement('canvas').getContext('2d')
  if (context !== null) context.font = font
  // where motion is reduced, everything has a transition of a moment: the colour read would be the one before
  element.style.setProperty('transition', 'none', 'important')
  return {
    font,
    width: (text) => context?.measureText(text).width ?? 0,
    colour: (css) => {
      element.style.color = css
      const { color } = getComputedStyle(element)
      element.style.color = ''
      return color
    },
  }
}
