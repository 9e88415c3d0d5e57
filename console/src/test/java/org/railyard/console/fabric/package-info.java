/** What pages about a torus are told. */
@NullMarked
package org.railyard.console.fabric;

import org.jspecify.annotations.NullMarked;
