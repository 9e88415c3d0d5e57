/** Verbs over UDP (RoCEv2, spec 23 §5): the provider, which puts thread, cards and connection manager together. */
@NullMarked
package org.railyard.roce;

import org.jspecify.annotations.NullMarked;
