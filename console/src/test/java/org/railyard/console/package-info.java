/** The console as browsers see it, without one. */
@NullMarked
package org.railyard.console;

import org.jspecify.annotations.NullMarked;
