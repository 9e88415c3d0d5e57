/** Tests. */
@NullMarked
package org.railyard.config.parameter;

import org.jspecify.annotations.NullMarked;
