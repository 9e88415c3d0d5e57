/** Tests. */
@NullMarked
package org.railyard.dlc.parameter;

import org.jspecify.annotations.NullMarked;
