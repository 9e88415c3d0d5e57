/** Tests. */
@NullMarked
package org.railyard.control;

import org.jspecify.annotations.NullMarked;
