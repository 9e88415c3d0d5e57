/** Tests of {@code railyard explain}. */
@NullMarked
package org.railyard.cli.explain;

import org.jspecify.annotations.NullMarked;
