/** MADs for people: a line or a page of names and values, and the reader of files of MADs in hexadecimal. */
@NullMarked
package org.railyard.mad.text;

import org.jspecify.annotations.NullMarked;
