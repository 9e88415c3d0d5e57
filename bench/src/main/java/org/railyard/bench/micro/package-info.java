/**
 * JMH benchmarks of single operations; run by {@code railyard bench micro}. They may touch any exported package of the
 * product.
 */
@NullMarked
package org.railyard.bench.micro;

import org.jspecify.annotations.NullMarked;
