/** Tests. */
@NullMarked
package org.railyard.dlc.text;

import org.jspecify.annotations.NullMarked;
