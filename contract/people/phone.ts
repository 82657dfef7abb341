/** What is said of a telephone that is none: typed as one text, and at sign-up, where the code of the country is chosen beside it. */
export const NO_PHONE = 'This is no telephone number: begin it with + and the code of the country, as in +380 44 234 5678'
export const NO_PHONE_OF_CODE = 'There is no such telephone number. Check the country code and the digits'
