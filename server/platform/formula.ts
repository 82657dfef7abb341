/** What spreadsheets run as a formula, also after spaces: files for people mark such a cell as text. A number below zero stays one. */
export const FORMULA = /^\s*(?:[=+@]|-(?![\d.]+$))|^[\t\r]/
