/** Tests of the roles of subnet managers. */
@NullMarked
package org.railyard.sm.role;

import org.jspecify.annotations.NullMarked;
