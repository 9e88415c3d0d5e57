/** The commands of {@code railyard}, one class each. */
@NullMarked
package org.railyard.cli;

import org.jspecify.annotations.NullMarked;
