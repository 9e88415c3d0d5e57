/** Values and interfaces of the stack: what applications pass in and get out. */
@NullMarked
package org.railyard.lnet.api;

import org.jspecify.annotations.NullMarked;
