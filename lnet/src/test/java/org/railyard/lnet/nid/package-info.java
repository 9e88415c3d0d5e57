/** Tests of names and their text forms. */
@NullMarked
package org.railyard.lnet.nid;

import org.jspecify.annotations.NullMarked;
