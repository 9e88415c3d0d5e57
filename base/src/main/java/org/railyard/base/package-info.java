/** Errno values and the exception that carries one. */
@NullMarked
package org.railyard.base;

import org.jspecify.annotations.NullMarked;
