/** Tests of what benchmarks stand on. */
@NullMarked
package org.railyard.bench.micro;

import org.jspecify.annotations.NullMarked;
