// Sums by owner, such as the bytes of an account. An owner whose sum is 0 is not remembered.

export class Sums<Id extends string> {
  readonly #sums = new Map<Id, number>();

  of(id: Id): number {
    return this.#sums.get(id) ?? 0;
  }

  add(id: Id, amount: number): void {
    const sum = this.of(id) + amount;
    if (sum > 0) this.#sums.set(id, sum);
    else this.#sums.delete(id);
  }
}
