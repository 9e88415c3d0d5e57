/** Tests of the checks. */
@NullMarked
package org.railyard.doctor;

import org.jspecify.annotations.NullMarked;
