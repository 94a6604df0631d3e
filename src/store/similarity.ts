/** Sum of the products of two vectors of one length. */
export function dot(left: ArrayLike<number>, right: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < left.length; index += 1) sum += (left[index] ?? 0) * (right[index] ?? 0);
  return sum;
}

/** Likeness of two vectors by their angle, -1 to 1; 0 where one has no direction. */
export function cosine(left: ArrayLike<number>, right: ArrayLike<number>): number {
  return cosineTo(left)(right);
}

/** The same for one vector and many: its length is worked out once. */
export function cosineTo(one: ArrayLike<number>): (other: ArrayLike<number>) => number {
  const own = dot(one, one);
  return (other) => {
    let [product, square] = [0, 0];
    for (let index = 0; index < one.length; index += 1) {
      const value = other[index] ?? 0;
      product += (one[index] ?? 0) * value;
      square += value * value;
    }
    const lengths = Math.sqrt(own * square);
    return lengths === 0 ? 0 : product / lengths;
  };
}

/** The vector with length 1, so that the dot product of two is their cosine; one without direction stays as it is. */
export function unit(vector: ArrayLike<number>): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return Float32Array.from(vector, (value) => (length === 0 ? value : value / length));
}
