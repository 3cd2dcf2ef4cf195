// What a rule enforces, in the words of JSON Schema, by the kind of value that it applies to: a field may be a text or
// a list, and each has its own bounds. A kind without bounds takes every value of that kind.

export type TextBounds = {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
};

export type Bounds = {
  readonly text?: TextBounds;
  readonly number?: { readonly minimum?: number; readonly maximum?: number };
  readonly list?: {
    readonly minItems?: number;
    readonly maxItems?: number;
    readonly items?: Bounds;
  };
  readonly object?: {
    readonly maxProperties?: number;
    readonly propertyNames?: TextBounds;
    /** Of each value, whatever its name. */
    readonly values?: Bounds;
    readonly properties?: FieldBounds;
  };
  /** An object whose shape one of its strings names. */
  readonly kinds?: {
    readonly tag: string;
    readonly shapes: FieldBounds;
    /** True if other names pass too, unchecked. */
    readonly isOpen?: boolean;
  };
  /** One for each form that the value may have, in the order in which its schema has them. */
  readonly forms?: readonly Bounds[];
};

/** By the name of a field. */
export type FieldBounds = Readonly<Record<string, Bounds>>;
