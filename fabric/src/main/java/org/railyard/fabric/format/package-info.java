/** The text formats of ibsim, ibnetdiscover, OpenSM and ibdmchk, from text and to text; opens no files (spec 31). */
@NullMarked
package org.railyard.fabric.format;

import org.jspecify.annotations.NullMarked;
