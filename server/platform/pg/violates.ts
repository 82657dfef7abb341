/** Whether PostgreSQL refused something because of this named constraint. */
export function violates(error: unknown, constraint: string): boolean {
  return typeof error === 'object' && error !== null && 'constraint' in error && error.constraint === constraint
}
