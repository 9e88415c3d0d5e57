/** Connections, messages and faults by seeds, for verbs providers in virtual time, and what is checked of them. */
@NullMarked
package org.railyard.conformance.verbs.chaos;

import org.jspecify.annotations.NullMarked;
