/** Tests of the checks. */
@NullMarked
package org.railyard.dlc.doctor;

import org.jspecify.annotations.NullMarked;
