/**
 * The tunables of o2iblnd, what nodes agree on, and how large everything gets (spec 20 §7, §10, §17, §18; spec 22):
 * pure functions, used by the transport and by the calculator alike.
 */
@NullMarked
package org.railyard.o2iblnd.tune;

import org.jspecify.annotations.NullMarked;
