/** Which machines and libraries are taken. */
@NullMarked
package org.railyard.ibverbs.ffi;

import org.jspecify.annotations.NullMarked;
