/** Tests of campaigns. */
@NullMarked
package org.railyard.campaign;

import org.jspecify.annotations.NullMarked;
