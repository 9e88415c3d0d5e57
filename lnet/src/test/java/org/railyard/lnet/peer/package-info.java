/** The tables of NIs and peers. */
@NullMarked
package org.railyard.lnet.peer;

import org.jspecify.annotations.NullMarked;
