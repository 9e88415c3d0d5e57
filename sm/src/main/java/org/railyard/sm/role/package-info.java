/** Which subnet manager of several is master: states, SMInfo, polling and handover. */
@NullMarked
package org.railyard.sm.role;

import org.jspecify.annotations.NullMarked;
