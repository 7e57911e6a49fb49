/** Imported so that it is downloaded and locked; it is part of the bundle of the console's page. */
import "npm:preact@11.2.0";
import "npm:preact@11.2.0/hooks";
import "npm:preact@11.2.0/jsx-runtime";
