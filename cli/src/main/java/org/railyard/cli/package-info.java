/** The commands of {@code railyard}, one class each. Next room: {@code org.railyard.lnet}. */
@NullMarked
package org.railyard.cli;

import org.jspecify.annotations.NullMarked;
