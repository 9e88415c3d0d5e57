/** Tests. */
@NullMarked
package org.railyard.dlc.api;

import org.jspecify.annotations.NullMarked;
